// Command read-error-ignored prints the log of the failed job of the newest failed build.
// The mistake: it drops the error of reading the body, so half a log passes for a log and the exit code is 0.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var careful = os.Args[1] == "careful"
var client = &http.Client{Timeout: 6 * time.Second}

// get sends one request. An error with a wait that is not negative may pass.
func get(url, kind string) (body []byte, wait time.Duration, err error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, -1, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("BUILDWIRE_TOKEN"))
	response, err := client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if !careful {
		err = nil
	}
	switch code := response.StatusCode; {
	case code == 429 || code >= 500:
		return nil, after(response.Header), fmt.Errorf("the service answered %s", response.Status)
	case code != 200:
		return nil, -1, fmt.Errorf("the service answered %s: %.200s", response.Status, body)
	case !strings.HasPrefix(response.Header.Get("Content-Type"), kind):
		return nil, 0, fmt.Errorf("the answer is no %s", kind)
	case err == nil && len(body) == 0:
		return nil, 0, fmt.Errorf("the answer is empty")
	}
	return body, 0, err
}

// after is how long the service wants to be left alone.
func after(header http.Header) time.Duration {
	said := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(said); err == nil {
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(said)
	now, noDate := http.ParseTime(header.Get("Date"))
	if err != nil || noDate != nil || date.Before(now) {
		return 0
	}
	return date.Sub(now)
}

// read tries up to four times, until use can use the answer.
func read(url, kind string, use func([]byte) error) {
	for tried := 1; ; tried++ {
		body, wait, err := get(url, kind)
		if err == nil {
			err = use(body)
		}
		if err == nil {
			return
		}
		if wait < 0 || wait > time.Minute || tried == 4 {
			fmt.Fprintln(os.Stderr, "read-error-ignored:", err)
			os.Exit(1)
		}
		if wait == 0 {
			wait = 100 * time.Millisecond << tried
		}
		time.Sleep(wait)
	}
}

func main() {
	var builds []struct {
		Jobs []struct {
			Type, State string
			Log         string `json:"raw_log_url"`
		}
	}
	list := "/v2/organizations/acme/pipelines/infra/builds?state=failed&per_page=1"
	read(os.Getenv("BUILDWIRE_BASE_URL")+list, "application/json", func(body []byte) error {
		return json.Unmarshal(body, &builds)
	})
	for _, build := range builds {
		for _, job := range build.Jobs {
			if job.Type == "script" && job.State == "failed" {
				read(job.Log, "text/plain", func(log []byte) error {
					_, err := os.Stdout.Write(log)
					return err
				})
				return
			}
		}
	}
	fmt.Fprintln(os.Stderr, "read-error-ignored: no failed job")
	os.Exit(1)
}
