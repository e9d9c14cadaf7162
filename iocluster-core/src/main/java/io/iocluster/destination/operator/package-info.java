/**
 * Actions of operators on one destination of a running node. {@link io.iocluster.destination.operator.OperatorAction} is a request.
 * {@link io.iocluster.destination.operator.OperatorOverrides} holds the pause and the limits in force until they end.
 */
package io.iocluster.destination.operator;
