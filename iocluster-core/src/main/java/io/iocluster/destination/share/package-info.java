/** How many slots destinations want, and how a number of slots is divided among such demands. */
package io.iocluster.destination.share;
