/** The paths of the admin API with which operators change one part of a running node, mostly for a limited time. */
package io.iocluster.node.action;
