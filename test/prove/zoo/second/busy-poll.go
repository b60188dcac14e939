// Command busy-poll starts a build of the docs, waits until it has ended, and prints how.
// The mistake: it asks again without a pause, hundreds of times a second.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type build struct {
	Number   int     `json:"number"`
	State    string  `json:"state"`
	Blocked  bool    `json:"blocked"`
	Finished *string `json:"finished_at"`
}

// errBusy refuses a request that was certainly not carried out.
var errBusy = errors.New("the service answered 429 Too Many Requests")
var client = &http.Client{Timeout: 6 * time.Second}
var builds = os.Getenv("BUILDWIRE_BASE_URL") + "/v2/organizations/acme/pipelines/docs/builds"

func fail(message any) {
	fmt.Fprintln(os.Stderr, "busy-poll:", message)
	os.Exit(1)
}

// once reads an answer into target. An error with a wait that is not negative may pass.
func once(method, url, send string, target any) (wait time.Duration, err error) {
	request, err := http.NewRequest(method, url, strings.NewReader(send))
	if err != nil {
		return -1, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("BUILDWIRE_TOKEN"))
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if code := response.StatusCode; code == 429 || code >= 500 {
		said, date := response.Header.Get("Retry-After"), response.Header.Get("Date")
		if seconds, err := strconv.Atoi(said); err == nil {
			wait = time.Duration(seconds) * time.Second
		} else if until, err := http.ParseTime(said); err == nil {
			if now, err := http.ParseTime(date); err == nil {
				wait = until.Sub(now)
			}
		}
		if code == 429 {
			return wait, errBusy
		}
		return wait, fmt.Errorf("the service answered %s", response.Status)
	} else if code != 200 && code != 201 {
		return -1, fmt.Errorf("the service answered %s: %.200s", response.Status, body)
	}
	if err == nil {
		err = json.Unmarshal(body, target)
	}
	return 0, err
}

// patiently tries up to four times; what makes something only as long as it is certainly not made.
func patiently(method, url, send string, target any) {
	for tried := 1; ; tried++ {
		wait, err := once(method, url, send, target)
		if err == nil {
			return
		}
		if method == http.MethodPost && err != errBusy {
			fail(fmt.Sprint("not known whether a build was started: ", err))
		}
		if wait < 0 || wait > time.Minute || tried == 4 {
			fail(err)
		}
		if wait == 0 {
			wait = 100 * time.Millisecond << tried
		}
		time.Sleep(wait)
	}
}

func main() {
	var created build
	patiently(http.MethodPost, builds, `{"commit":"HEAD","branch":"main","message":"Polled"}`, &created)
	if created.Number == 0 {
		fail("the answer is no build: not known whether one was started")
	}
	for until := time.Now().Add(90 * time.Second); time.Now().Before(until); {
		var now build
		patiently(http.MethodGet, fmt.Sprintf("%s/%d?exclude_jobs=true", builds, created.Number), "", &now)
		switch {
		case now.Number == 0 || now.State == "":
			fail("the answer is no build")
		case now.Blocked:
			fail(fmt.Sprintf("build %d waits at a gate", now.Number))
		case now.State == "passed":
			fmt.Println("Build", now.Number, "is", now.State)
			return
		case now.Finished != nil || now.State == "skipped" || now.State == "not_run":
			fail(fmt.Sprintf("build %d is %s", now.Number, now.State))
		}
		if os.Args[1] == "careful" {
			time.Sleep(time.Second)
		}
	}
	fail("the build does not end")
}
