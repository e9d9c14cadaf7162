/** What the admin API says about the upstreams of the destinations. Their meters are in {@code metrics}. */
package io.iocluster.node.upstream;
