/** The store of the shared cache in Valkey or Redis. Only this package uses Lettuce. */
package io.iocluster.node.redis;
