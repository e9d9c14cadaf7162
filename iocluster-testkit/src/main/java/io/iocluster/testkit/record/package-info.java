/** Copies of records for tests. */
package io.iocluster.testkit.record;
