export const profilePictures = {
  title: 'Pictures',
  avatar: 'Avatar',
  banner: 'Banner',
  decoration: 'Decoration',
  nameplate: 'Nameplate',
  copyUrl: (picture: string) => `Copy ${picture.toLowerCase()} URL`,
  download: (picture: string) => `Download ${picture.toLowerCase()}`,
  formatOf: (picture: string) => `${picture} format`,
  sizeOf: (picture: string) => `${picture} size`,
  animatedWebp: 'WebP, animated',
  pixels: (pixels: number) => `${pixels} px`,
  onlyForm: 'PNG, one size',
  until: (day: string) => `Until ${day}`,
  shop: 'Shop',
  inShop: (picture: string) => `Shop: ${picture.toLowerCase()}`,
  shopHint: 'In the shop (opens in a new tab)',
};

/** In the image that is saved. */
export const profileImage = {
  created: 'Created',
  ago: (age: string) => `${age} ago`,
  id: 'ID',
  lookedUp: 'Looked up',
};
