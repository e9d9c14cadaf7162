/**
 * Authenticates calls to targets. {@link io.iocluster.credential.CredentialSettings} binds secrets to hosts, and {@link
 * io.iocluster.credential.CredentialStore} holds the credentials that an envelope can name. {@link
 * io.iocluster.credential.AuthenticatingHttpExecutor} adds the secrets as the last step, so that no earlier step has
 * access to them.
 */
package io.iocluster.credential;
