/** Says what is wrong with a node, and what an operator should do. Advice about its size is in {@code tuning}. */
package io.iocluster.node.problem;
