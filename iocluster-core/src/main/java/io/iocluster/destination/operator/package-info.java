/**
 * What operators do to one destination while the node runs: {@link io.iocluster.destination.operator.OperatorAction} is a request, {@link
 * io.iocluster.destination.operator.OperatorOverrides} holds what is in force, and each override ends by itself.
 */
package io.iocluster.destination.operator;
