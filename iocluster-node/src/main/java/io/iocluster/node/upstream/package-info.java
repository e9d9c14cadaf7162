/** Shows the upstreams of the destinations: their meters, and their state in the admin API. */
package io.iocluster.node.upstream;
