/** The calls of a run: templates, the rows of feeders that fill them, and recorded calls. */
package io.iocluster.lab.load.data;
