/** The naive loop on each broker: what one writes in an afternoon, and what the node is measured against. */
package io.iocluster.lab.bench.naive;
