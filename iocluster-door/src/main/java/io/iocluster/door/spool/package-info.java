/**
 * Store and forward: {@link io.iocluster.door.spool.SpooledCalls} stores asynchronous calls on disk and forwards them to the broker in
 * their order. Only {@code SpoolStore} knows the database.
 */
package io.iocluster.door.spool;
