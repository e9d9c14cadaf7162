/**
 * A RabbitMQ broker in the simulation. {@link io.iocluster.simulation.rabbit.SimulatedRabbit} says what it models and what not. Change a rule
 * only with its line in the documentation of RabbitMQ or AMQP 0-9-1, and a test of the rule.
 */
package io.iocluster.simulation.rabbit;
