/** The transport that the configuration selects, for the commands and the node. */
package io.iocluster.node.broker;
