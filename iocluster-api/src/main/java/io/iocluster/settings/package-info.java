/** Building blocks of settings records: documentation, units and validation. */
package io.iocluster.settings;
