export { type NodeTransportOptions, nodeTransport } from './node-transport.js'
export { type Environment, type NamedProxy, proxyFor, proxyTransport } from './proxy-transport.js'
