/** Decides when a call gets a second attempt because its first one is slow. */
package io.iocluster.hedge;
