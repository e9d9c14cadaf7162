/** What one would write in an afternoon on each broker, and what the node is measured against. */
package io.iocluster.bench.naive;
