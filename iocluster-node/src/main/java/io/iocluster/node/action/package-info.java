/** What operators do to a running node besides its size and state: the paths of the admin API that change one part of it for a time. */
package io.iocluster.node.action;
