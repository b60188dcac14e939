// Command no-timeout prints the running builds of the organization, for a status line.
// The mistake: the default client has no timeout, so an answer that never comes is waited for without an end.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type build struct {
	ID     string `json:"id"`
	Number int    `json:"number"`
	Branch string `json:"branch"`
}

var base = os.Getenv("BUILDWIRE_BASE_URL") + "/v2"
var next = regexp.MustCompile(`<([^>]+)>;\s*rel="next"`)

// page reads one page. An error with a wait that is not negative may pass.
func page(client *http.Client, url string) (builds []build, link string, wait time.Duration, err error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, "", -1, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("BUILDWIRE_TOKEN"))
	response, err := client.Do(request)
	if err != nil {
		return nil, "", 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	switch code := response.StatusCode; {
	case err != nil:
		return nil, "", 0, err
	case code == 429 || code >= 500:
		return nil, "", after(response.Header), fmt.Errorf("the service answered %s", response.Status)
	case code != 200:
		return nil, "", -1, fmt.Errorf("the service answered %s: %.200s", response.Status, body)
	}
	err = json.Unmarshal(body, &builds)
	if err == nil && builds == nil {
		err = errors.New("the answer is not a list")
	}
	if found := next.FindStringSubmatch(response.Header.Get("Link")); found != nil {
		link = found[1]
	}
	return builds, link, 0, err
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

func main() {
	client := http.DefaultClient
	if os.Args[1] == "careful" {
		client = &http.Client{Timeout: 6 * time.Second}
	}
	seen := map[string]bool{}
	url := base + "/organizations/acme/builds?state=running&per_page=100&exclude_jobs=true"
	for url != "" {
		builds, link, wait, err := page(client, url)
		for tried := 1; err != nil && wait >= 0 && wait <= time.Minute && tried < 4; tried++ {
			if wait == 0 {
				wait = 100 * time.Millisecond << tried
			}
			time.Sleep(wait)
			builds, link, wait, err = page(client, url)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "no-timeout:", err)
			os.Exit(1)
		}
		for _, build := range builds {
			if !seen[build.ID] {
				seen[build.ID] = true
				fmt.Println(build.Number, build.Branch)
			}
		}
		if link != "" && !strings.HasPrefix(link, base+"/") {
			fmt.Fprintln(os.Stderr, "no-timeout: the next page lies elsewhere")
			os.Exit(1)
		}
		url = link
	}
}
