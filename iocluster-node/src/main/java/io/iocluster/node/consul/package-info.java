/**
 * The Consul integration. {@link io.iocluster.node.consul.ConsulIntegration} owns {@link
 * io.iocluster.node.consul.KeyWatch}, which watches the configuration key, {@link
 * io.iocluster.node.consul.ServiceRegistration}, which keeps the node registered, and {@link
 * io.iocluster.node.consul.ServiceWatches}, which finds upstreams. Only {@link
 * io.iocluster.node.consul.ConsulAgent} sends HTTP requests to the agent
 * (docs/adr/0014-the-configuration-file-is-reloaded.md).
 */
package io.iocluster.node.consul;
