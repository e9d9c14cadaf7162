export * from './client.js'
export * from './door.js'
export * from './errors.js'
export * from './messages.js'
