/**
 * The {@code demo} command: {@link io.iocluster.node.demo.Demo} sends calls through a node, with the broker and the target of a
 * {@link io.iocluster.node.demo.DemoEnvironment}.
 */
package io.iocluster.node.demo;
