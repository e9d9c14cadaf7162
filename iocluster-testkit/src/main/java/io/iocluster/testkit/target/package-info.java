/**
 * HTTP targets for tests: {@link io.iocluster.testkit.target.TargetServer}, whose {@link
 * io.iocluster.testkit.target.Behaviours} the URL selects and whose {@link io.iocluster.testkit.target.RequestLog}
 * records requests, {@link io.iocluster.testkit.target.ScriptedServer}, which sends the bytes of a script, and {@link
 * io.iocluster.testkit.target.BlackHole}, which never answers.
 */
package io.iocluster.testkit.target;
