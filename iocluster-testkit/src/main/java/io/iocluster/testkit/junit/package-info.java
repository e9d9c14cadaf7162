/** JUnit defaults for every test that has the testkit on its class path. */
package io.iocluster.testkit.junit;
