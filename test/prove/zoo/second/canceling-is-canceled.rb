# Cancels the newest running build of a pipeline and then starts the build of a hotfix in its place.
# The mistake: it takes canceling for the end, and starts the hotfix while the old build still runs.
require_relative 'careful'

BUILDS = "#{ORG}/pipelines/infra/builds"
RUNNING = "#{BUILDS}?state=running&per_page=1&exclude_jobs=true"

def cancel(number)
  url = "#{BUILDS}/#{number}/cancel"
  patiently(-> { once(Net::HTTP::Put.new(URI(url)), url) }) { |response| as_build(response) }
rescue Refused => e
  # An earlier try may have done it, or the build ended by itself: then it says so.
  raise if e.status != 422
  get_build("#{BUILDS}/#{number}")
end

def gone(number)
  90.times do
    build = get_build("#{BUILDS}/#{number}?exclude_jobs=true")
    return if build['finished_at'] || %w[passed failed canceled skipped not_run].include?(build['state'])
    sleep 1
  end
  raise "Build #{number} does not end"
end

careless = lambda do
  build = get_list(RUNNING).first
  if build
    state = cancel(build['number'])['state']
    raise "Build #{build['number']} is #{state}" unless %w[canceled canceling].include?(state)
  end
  puts "Hotfix is build #{start('infra', 'Hotfix')['number']}"
end

careful = lambda do
  build = get_list(RUNNING).first
  if build
    cancel(build['number'])
    gone(build['number'])
  end
  puts "Hotfix is build #{start('infra', 'Hotfix')['number']}"
end

main(careless: careless, careful: careful)
