/**
 * What the node shows to targets in the name of those who call: {@link io.iocluster.credential.CredentialSettings} binds
 * secrets to hosts, {@link io.iocluster.credential.CredentialStore} holds those that an envelope can name, and {@link
 * io.iocluster.credential.AuthenticatingHttpExecutor} puts them on a call at the last moment, so that nothing before it ever has
 * them.
 */
package io.iocluster.credential;
