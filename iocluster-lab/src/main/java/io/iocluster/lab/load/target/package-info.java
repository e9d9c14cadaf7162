/** Where calls are sent: through a cluster, or directly by HTTP. */
package io.iocluster.lab.load.target;
