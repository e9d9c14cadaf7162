/** Makes HTTP attempts with async-http-client. The only package that imports the library. */
package io.iocluster.http.ahc;
