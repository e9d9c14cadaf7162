/** The result of a run, which is also its JSON: records without behaviour, except for figures derived from them. */
package io.iocluster.lab.load.result;
