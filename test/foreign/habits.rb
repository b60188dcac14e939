# The habits of Ruby programs: JSON declared as a form, Link split at commas, numbers as texts, nil for absent values.
require "json"
require "net/http"

token, recorded = ENV.fetch("TOKEN"), ENV.fetch("DIALECT") == "recorded"
BUILDS = "#{ENV.fetch("BASE_URL")}/v2/organizations/acme/pipelines/web/builds"

call = lambda do |url, body = nil|
  uri = URI(url)
  request = (body ? Net::HTTP::Post : Net::HTTP::Get).new(uri, "Authorization" => "Bearer #{token}")
  # Net::HTTP declares a body as a form if no content type is set.
  request.body = JSON.generate(body) if body
  answer = Net::HTTP.start(uri.host, uri.port, read_timeout: 20) { |http| http.request(request) }
  raise "#{answer.code} #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)
  [JSON.parse(answer.body), answer]
end

def check(what, condition)
  puts "#{condition ? "ok" : "not ok"} #{what}"
  exit 1 unless condition
end

branch = "ruby, with; signs"
%w[17 18 19].each do |number|
  change = { commit: "HEAD", branch: branch, pull_request_id: number, meta_data: { canary: true } }
  made, = call.(BUILDS, change)
  check("a pull request's number may be a text", made["pull_request"]["id"] == number)
end

found = []
url = "#{BUILDS}?#{URI.encode_www_form(branch: branch, exclude_jobs: true, per_page: 1)}"
while url
  page, answer = call.(url)
  found += page
  links = answer["Link"].to_s.split(",").map { |part| part.split(";").map(&:strip) }
  following = links.find { |_, rel| rel == 'rel="next"' }
  url = following && following[0].delete_prefix("<").delete_suffix(">")
end
check("a Link that is split at commas leads through every page", found.length == 3 && found.uniq { |build| build["id"] }.length == 3)
check("true is true", found.none? { |build| build.key?("jobs") })

texts = found.all? { |build| build["meta_data"].values.all?(String) }
check("meta-data are texts where the dialect says so", texts == recorded)
plain, = call.(BUILDS, { commit: "HEAD", branch: "main" })
check("no pull request is nil where the dialect says so", plain["pull_request"].nil? == recorded)
