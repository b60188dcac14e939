# What the careful twins share: a deadline for each request, a few tries, an honest end.
require 'json'
require 'net/http'
require 'securerandom'
require 'time'
require 'timeout'

API = "#{ENV.fetch('BUILDWIRE_BASE_URL')}/v2"
ORG = "#{API}/organizations/#{ENV.fetch('BUILDWIRE_ORG', 'acme')}"
AUTH = { 'Authorization' => "Bearer #{ENV.fetch('BUILDWIRE_TOKEN')}" }
PASSING = [429, 500, 502, 503, 504]

class Refused < StandardError
  attr_reader :status

  def initialize(response)
    @status = response.code.to_i
    super("The service answered #{response.code}: #{response.body.to_s[0, 200]}")
  end
end

class Unusable < StandardError; end

# Runs the twin that the command line names. The careful one says what went wrong, and fails.
def main(careless:, careful:)
  return careless.call if ARGV[0] == 'careless'
  careful.call
rescue StandardError => e
  raise if ARGV[0] == 'careless'
  abort "#{File.basename($PROGRAM_NAME)}: #{e.message}"
end

# One request, whole or not at all, sent once: Net::HTTP itself would send a PUT again.
def once(request, url)
  uri = URI(url)
  response = Timeout.timeout(7) do
    Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', open_timeout: 6, read_timeout: 6,
                                        max_retries: 0) do |http|
      AUTH.each { |name, value| request[name] = value }
      request['Accept-Encoding'] = 'identity'
      http.request(request)
    end
  end
  length = response['Content-Length']
  raise Unusable, 'The answer was cut' if length && response.body.to_s.bytesize != length.to_i
  response
end

def wait_after(response, tried)
  said = response && (response['Retry-After'] || response['RateLimit-Reset'])
  return 0.2 * 2**(tried - 1) unless said
  return said.to_i if said.match?(/\A\d+\z/)
  now = response['Date'] ? Time.httpdate(response['Date']) : Time.now
  [Time.httpdate(said) - now, 0].max
end

# Calls send up to four times until the block can use its answer.
def patiently(send, again: ->(status) { status.nil? || PASSING.include?(status) })
  tried = 0
  begin
    tried += 1
    refusal = nil
    response = send.call
    unless response.is_a?(Net::HTTPSuccess)
      refusal = response
      raise Refused.new(response)
    end
    yield response
  rescue Refused, Unusable, JSON::ParserError, Timeout::Error, SystemCallError, IOError, SocketError,
         Net::HTTPBadResponse, Net::ProtocolError => e
    raise e if tried == 4 || !again.call(refusal && refusal.code.to_i)
    wait = wait_after(refusal, tried)
    raise "#{e.message} (it wants #{wait} s of patience)" if wait > 60
    sleep wait
    retry
  end
end

def as_build(response)
  build = JSON.parse(response.body.to_s)
  raise Unusable, 'The answer is no build' unless build.is_a?(Hash) && build['number'].is_a?(Integer) && build['state']
  build
end

def as_list(response)
  list = JSON.parse(response.body.to_s)
  raise Unusable, 'The answer is not a list' unless list.is_a?(Array)
  list
end

def get_build(url)
  patiently(-> { once(Net::HTTP::Get.new(URI(url)), url) }) { |response| as_build(response) }
end

def get_list(url)
  patiently(-> { once(Net::HTTP::Get.new(URI(url)), url) }) { |response| as_list(response) }
end

# Starts one build. When the answer is lost, it looks for the build instead of starting another.
def start(pipeline, message)
  marker = SecureRandom.uuid
  url = "#{ORG}/pipelines/#{pipeline}/builds"
  send = lambda do
    post = Net::HTTP::Post.new(URI(url), 'Content-Type' => 'application/json')
    post.body = JSON.generate(commit: 'HEAD', branch: 'main', message: message, meta_data: { request: marker })
    once(post, url)
  end
  patiently(send, again: ->(status) { status == 429 }) { |response| as_build(response) }
rescue StandardError => e
  raise if e.is_a?(Refused) && e.status < 500
  found = get_list("#{url}?meta_data[request]=#{marker}&exclude_jobs=true").first
  raise "#{e.message} (and no new build is to be seen)" unless found
  found
end
