/** What the sources of a consumer group and of a share group have in common: the poll thread, its states and its monitor. */
package io.iocluster.kafka.loop;
