/** Two runs of an experiment side by side, with the noise of each figure. */
package io.iocluster.lab.load.compare;
