# Prints the branches of the running builds of the organization.
# The mistake: it rescues a broken connection and tries again at once, as often as it breaks.
require_relative 'careful'

URL = "#{ORG}/builds?state=running&per_page=100&exclude_jobs=true&exclude_pipeline=true"

def show(builds)
  builds.map { |build| build['branch'] }.uniq.sort.each { |branch| puts branch }
end

careless = lambda do
  uri = URI(URL)
  begin
    response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', read_timeout: 6) do |http|
      http.request(Net::HTTP::Get.new(uri, AUTH))
    end
  rescue EOFError, Timeout::Error, SystemCallError
    retry
  end
  raise "The service answered #{response.code}" unless response.is_a?(Net::HTTPSuccess)
  show(JSON.parse(response.body))
end

careful = lambda do
  builds = {}
  url = URL
  while url
    url = patiently(-> { once(Net::HTTP::Get.new(URI(url)), url) }) do |response|
      as_list(response).each { |build| builds[build['id']] = build }
      response['Link'].to_s[/<([^>]+)>;\s*rel="next"/, 1]
    end
    raise 'The next page lies elsewhere' if url && !url.start_with?("#{API}/")
  end
  show(builds.values)
end

main(careless: careless, careful: careful)
