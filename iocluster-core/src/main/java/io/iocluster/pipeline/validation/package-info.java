/** The checks of an envelope before its call is scheduled. The node runs them, and the command {@code explain} shows their result. */
package io.iocluster.pipeline.validation;
