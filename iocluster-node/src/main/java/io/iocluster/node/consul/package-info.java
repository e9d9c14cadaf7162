/**
 * The node in Consul: {@link io.iocluster.node.consul.KeyWatch} follows the key that a part of the configuration is in, {@link
 * io.iocluster.node.consul.ServiceRegistration} keeps the node registered, and {@link
 * io.iocluster.node.consul.ConsulIntegration} owns both. All of it goes through {@link io.iocluster.node.consul.ConsulAgent}, the
 * one class that speaks HTTP with the agent (docs/adr/0016-consul-is-a-configuration-layer.md).
 */
package io.iocluster.node.consul;
