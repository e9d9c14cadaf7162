/** What the admin API says about the caches of responses. Their meters are in {@code metrics}. */
package io.iocluster.node.cache;
