/** The metrics and the admin API of the apps that send calls. */
package io.iocluster.node.producer;
