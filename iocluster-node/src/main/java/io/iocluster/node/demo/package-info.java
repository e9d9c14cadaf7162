/**
 * A whole cluster in one command: {@link io.iocluster.node.demo.Demo} sends calls through a node, on the broker and to the
 * target of a {@link io.iocluster.node.demo.DemoEnvironment}.
 */
package io.iocluster.node.demo;
