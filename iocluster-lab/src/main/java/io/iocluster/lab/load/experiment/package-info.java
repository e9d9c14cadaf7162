/** An experiment as its YAML file describes it, and the checks of that file. */
package io.iocluster.lab.load.experiment;
