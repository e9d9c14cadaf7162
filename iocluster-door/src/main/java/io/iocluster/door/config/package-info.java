/** The settings of the door. */
package io.iocluster.door.config;
