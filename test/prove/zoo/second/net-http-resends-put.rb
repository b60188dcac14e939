# Rebuilds the newest failed build of a pipeline.
# The mistake: Net::HTTP sends a PUT again by itself when the answer is lost, and each rebuild that arrives makes a build.
require_relative 'careful'

BUILDS = "#{ORG}/pipelines/infra/builds"
NEWEST = "#{BUILDS}?state=failed&per_page=1&exclude_jobs=true"
RECENT = "#{BUILDS}?per_page=100&exclude_jobs=true"

def show(build)
  puts "Build #{build['number']}"
end

def failed
  get_list(NEWEST).first or raise 'No build has failed'
end

careless = lambda do
  uri = URI("#{BUILDS}/#{failed['number']}/rebuild")
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', read_timeout: 6) do |http|
    http.request(Net::HTTP::Put.new(uri, AUTH))
  end
  raise "Not rebuilt: #{response.code}" unless response.is_a?(Net::HTTPSuccess)
  show(JSON.parse(response.body))
end

careful = lambda do
  source = failed
  before = get_list(RECENT).map { |build| build['id'] }
  url = "#{BUILDS}/#{source['number']}/rebuild"
  begin
    send = -> { once(Net::HTTP::Put.new(URI(url)), url) }
    build = patiently(send, again: ->(status) { status == 429 }) { |response| as_build(response) }
  rescue StandardError => e
    raise if e.is_a?(Refused) && e.status < 500
    # The answer is lost. The new build, if there is one, names the build that it replays.
    newer = get_list(RECENT).reject { |candidate| before.include?(candidate['id']) }
    build = newer.find { |candidate| candidate.dig('rebuilt_from', 'id') == source['id'] }
    raise "#{e.message} (and no new build is to be seen)" unless build
  end
  show(build)
end

main(careless: careless, careful: careful)
