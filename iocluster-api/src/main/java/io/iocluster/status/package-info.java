/** How status records become JSON. One annotation says the name, unit and meaning of each field for the JSON and for its schema. */
package io.iocluster.status;
