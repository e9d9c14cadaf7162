/**
 * Makes one HTTP attempt: {@link io.iocluster.http.HttpExecutor} and its result as a value, {@link
 * io.iocluster.http.HttpResult}. {@link io.iocluster.http.client.NettyHttpExecutorFactory} creates an executor for each
 * event loop.
 */
package io.iocluster.http;
