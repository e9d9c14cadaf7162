/** Where calls may go: the one strict URL parser, and the gate that every address passes before it is dialled. */
package io.iocluster.egress;
