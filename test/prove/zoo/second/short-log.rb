# Counts the failed lines in the log of the newest failed build.
# The mistake: it takes what came before the connection ended for the whole log. When the end is orderly, Net::HTTP
# does not even tell, although the body is shorter than its Content-Length.
require_relative 'careful'

NEWEST = "#{ORG}/pipelines/docs/builds?state=failed&per_page=1"

def log_url
  build = get_list(NEWEST).first or raise 'No build has failed'
  job = build['jobs'].find { |candidate| candidate['type'] == 'script' && candidate['state'] == 'failed' }
  job ? job['raw_log_url'] : raise('No failed job')
end

def report(log)
  puts "#{log.lines.size} lines, #{log.scan(/✗|not ok|[Ee]rror/).size} of them bad"
end

careless = lambda do
  uri = URI(log_url)
  log = +''
  begin
    Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', read_timeout: 6, max_retries: 0) do |http|
      http.request(Net::HTTP::Get.new(uri, AUTH.merge('Accept-Encoding' => 'identity'))) do |response|
        raise "No log: #{response.code}" unless response.is_a?(Net::HTTPOK)
        raise 'No log' unless response['Content-Type'].to_s.start_with?('text/plain')
        response.read_body { |part| log << part }
      end
    end
  rescue EOFError, SystemCallError => e
    raise if log.empty?
    warn e.message
  end
  report(log.force_encoding('UTF-8'))
end

careful = lambda do
  url = log_url
  log = patiently(-> { once(Net::HTTP::Get.new(URI(url)), url) }) do |response|
    raise Unusable, 'The answer is no log' unless response['Content-Type'].to_s.start_with?('text/plain')
    raise Unusable, 'The log of a finished job is empty' if response.body.to_s.empty?
    response.body.force_encoding('UTF-8')
  end
  report(log)
end

main(careless: careless, careful: careful)
