/** A Redis server for tests. */
package io.iocluster.testkit.redis;
