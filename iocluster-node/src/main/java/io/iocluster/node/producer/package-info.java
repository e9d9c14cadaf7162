/** What the admin API says about the apps that send calls. Their meters are in {@code metrics}. */
package io.iocluster.node.producer;
