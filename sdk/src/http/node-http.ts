export { type NodeTransportOptions, nodeTransport } from '../transport/node-transport.js'
export { type Environment, type NamedProxy, proxyFor, proxyTransport } from './proxy-transport.js'
